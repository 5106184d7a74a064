// In the development profile, anyone at the machine can be any user: the pages get their tokens
// here. In production there are none.
import type Router from '@koa/router'
import type { PluginContext } from './plugin.ts'

/** The grammar of user ids. docs/ledger-rules.md, "Identifiers" */
const USER_ID = /^[A-Za-z0-9@^$.!`\-#+'~_|:()]{1,128}$/u

/** `GET path?user=NAME`. Pages of other origins are not answered at all: docs/security.md */
export function mountTokens(router: Router, path: string, { issueToken }: PluginContext): void {
  router.get(path, async (context) => {
    const issue = issueToken?.()
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
