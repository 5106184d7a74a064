// In the development profile, anyone at the machine can be any user: the pages get their tokens
// here. In production there are none.
import type Router from '@koa/router'
import { isLoopback } from './loopback.ts'
import type { PluginContext } from './plugin.ts'

/** interface.md §2.3 */
const USER_ID = /^[A-Za-z0-9@^$.!`\-#+'~_|:()]{1,128}$/u

/**
 * `GET path?user=NAME`. A page of another origin cannot read the answer; one that has made a name
 * of its own point here (DNS rebinding) is recognised by the Host that it sends.
 */
export function mountTokens(router: Router, path: string, host: PluginContext): void {
  router.get(path, async (context) => {
    const issue = tokensFor(context.hostname, host)
    const user = new URLSearchParams(context.querystring).get('user') ?? ''
    context.set('Cache-Control', 'no-store')
    context.set('X-Content-Type-Options', 'nosniff')
    if (issue === undefined) return
    context.type = 'application/json'
    context.status = USER_ID.test(user) ? 200 : 400
    context.body = JSON.stringify(
      USER_ID.test(user) ? { token: await issue(user) } : { error: 'that is not a user id' },
    )
  })
}

/**
 * What issues tokens for a page that was asked for under the name `hostname`. Undefined outside the
 * development profile, and under a name that is not this server's own.
 */
export function tokensFor(
  hostname: string,
  { listen, issueToken }: PluginContext,
): ReturnType<NonNullable<PluginContext['issueToken']>> {
  const bare = hostname.replace(/^\[|\]$/gu, '')
  const isOwn = bare === 'localhost' || bare === listen.host || isLoopback(bare)
  return isOwn ? issueToken?.() : undefined
}
