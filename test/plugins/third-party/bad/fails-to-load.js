// Needs something that is not there.
throw new Error('no driver for this machine')
