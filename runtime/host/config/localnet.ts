// The profile `localnet`: a development network of three nodes, with the ports, users and tokens
// that clients of the public local network are written for.

/** Shared by all three nodes, as clients sign for whichever they ask. */
const AUTH = [{ use: 'jwt', unsafeHmac: { secret: 'unsafe' } }]

const node = (port: number, ...alsoPorts: readonly number[]) => ({ server: { port, alsoPorts } })

/** Values on top of the defaults of the development profile. */
export const LOCALNET = {
  profile: 'dev',
  auth: AUTH,
  /** The operator of each: the user whom clients take. */
  validator: { validatorWalletUser: 'ledger-api-user' },
  nodes: {
    sv: node(4975, 4000, 5003),
    provider: node(3975, 3000),
    user: node(2975, 2000),
  },
} as const
