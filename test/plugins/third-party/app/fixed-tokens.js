// Auth of another house: who calls is written in the configuration.
import { definePlugin } from 'ledgerwright'

/** @type {import('ledgerwright').StandardSchemaV1<unknown, { users: Record<string, string> }>} */
const options = {
  '~standard': {
    version: 1,
    vendor: 'acme',
    validate: (given) =>
      typeof given === 'object' && given !== null && 'users' in given
        ? { value: { users: Object.fromEntries(Object.entries(given.users ?? {})) } }
        : { issues: [{ message: 'must map tokens to users', path: ['users'] }] },
  },
}

export default definePlugin({
  kind: 'auth',
  name: 'fixed-tokens',
  options,
  setup: (_host, { users }) => ({
    authenticate: (token) => {
      const userId = Object.hasOwn(users, token) ? users[token] : undefined
      return userId === undefined
        ? { kind: 'not-mine' }
        : { kind: 'user', user: { userId, identityProviderId: '' } }
    },
  }),
})
