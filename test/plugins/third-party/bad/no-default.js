// Exports its plugin under a name.
export const plugin = { kind: 'extension', name: 'named' }
