// The development profile lets whoever sits at the machine be any user: the page asks here for
// tokens. In production there is nothing.
import type { ExtensionService, PluginContext } from '../../runtime/index.ts'
import { isLoopback } from '../../runtime/index.ts'

type Router = Parameters<NonNullable<ExtensionService['mount']>>[0]

/** interface.md §2.3 */
const USER_ID = /^[A-Za-z0-9@^$.!`\-#+'~_|:()]{1,128}$/u

/**
 * `GET /wallet/development/token?user=NAME`. A page of another origin cannot read the answer; one
 * that has made a name of its own point here (DNS rebinding) is told by the Host that it sends.
 */
export function mountDevelopment(router: Router, host: PluginContext): void {
  router.get('/wallet/development/token', async (context) => {
    const issue = host.issueToken?.()
    const user = new URL(context.href).searchParams.get('user') ?? ''
    context.set('Cache-Control', 'no-store')
    context.set('X-Content-Type-Options', 'nosniff')
    if (issue === undefined || !isOwnName(context.hostname, host)) return
    context.type = 'application/json'
    context.status = USER_ID.test(user) ? 200 : 400
    context.body = JSON.stringify(
      USER_ID.test(user) ? { token: await issue(user) } : { error: 'that is no user id' },
    )
  })
}

function isOwnName(name: string, { listen }: PluginContext): boolean {
  const bare = name.replace(/^\[|\]$/gu, '')
  return bare === 'localhost' || bare === listen.host || isLoopback(bare)
}
