// Loaded before each test file of a full run (`node --test --import`): the runner then does not
// follow every promise and timer to the test that made it, which takes a third of the processor's
// time. It needs that only to say whose an uncaught error is: with this, such an error fails its
// file instead, with the error's text. A file that is run alone still names the test.
import hooks from 'node:async_hooks'

const { createHook } = hooks
const RUNNER = /node:internal\/test_runner\//

hooks.createHook = (callbacks) => {
  const isRunner = RUNNER.test(new Error().stack ?? '')
  return createHook(isRunner ? {} : callbacks)
}
