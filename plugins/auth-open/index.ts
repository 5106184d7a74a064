// Authentication for development: anybody who can read the data folder can get a token for any
// user. Refuses the production profile, and addresses that other machines reach unless that is
// asked for.
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { AuthAnswer, AuthService, PluginContext } from '../../runtime/index.ts'
import { definePlugin, keepPrivate, Recent, refuseUnsafeAuth } from '../../runtime/index.ts'
import { readOrMakeKey } from './key-file.ts'
import { readToken, signToken } from './token.ts'

const KEY_FILE = 'auth-open.key'
/** The grammar of user ids. docs/ledger-rules.md, "Identifiers" */
const USER_ID = /^[A-Za-z0-9@^$.!`\-#+'~_|:()]{1,128}$/

const options = z.strictObject({
  /** Serve although other machines can reach the address. */
  allowNonLoopback: z.boolean().default(false),
  /** How many verified tokens are remembered. */
  cacheSize: z.int().min(1).max(1_000_000).default(10_000),
})

/** Issues tokens for any user and takes them, in the development profile only. */
export default definePlugin({
  kind: 'auth',
  name: 'open',
  options,
  setup: async (host, settings): Promise<AuthService> => {
    refuseUnsafeAuth('the development auth "open"', host, settings.allowNonLoopback)
    const keyFile = join(host.dataDir, KEY_FILE)
    keepPrivate([keyFile], host.log)
    const key = await readOrMakeKey(keyFile)
    return {
      authenticate: authenticator(key, settings.cacheSize),
      issue: (userId) => issue(userId, key),
      hint: hint(host),
      issuesBeyondLoopback: settings.allowNonLoopback,
    }
  },
})

function authenticator(key: Buffer, cacheSize: number): (token: string) => AuthAnswer {
  const recent = new Recent<AuthAnswer>(cacheSize)
  return (token) => {
    const known = recent.get(token)
    if (known !== undefined) return known
    const answer = readToken(token, key)
    if (answer.kind === 'user') recent.set(token, answer)
    return answer
  }
}

function issue(userId: string, key: Buffer): string {
  if (USER_ID.test(userId)) return signToken(userId, key)
  throw new Error(
    `"${userId}" is not a user id: 1 to 128 of A-Z a-z 0-9 @ ^ $ . ! \` - # + ' ~ _ | : ( )`,
  )
}

/** The command as it is typed here: npm's script in a checkout, its own name where installed. */
function hint(host: PluginContext): string {
  const command = import.meta.url.endsWith('.ts')
    ? 'npm run -s ledgerwright --'
    : 'npx ledgerwright'
  const folder = /^[\w./-]+$/.test(host.dataDir) ? host.dataDir : JSON.stringify(host.dataDir)
  const data = host.dataDir === resolve('data') ? '' : ` --data ${folder}`
  return `${command} token --user participant_admin${data}`
}
