// The wallet in the browser, at /wallet: serves the page that `npm run build:wallet` makes, and
// tells it what this server offers. The page itself stands in web/ and speaks to the public
// interfaces alone. docs/decisions/0009-wallet-ui.md
import { fileURLToPath } from 'node:url'
import type { ExtensionService } from '../../runtime/index.ts'
import { definePlugin } from '../../runtime/index.ts'
import { mountContacts } from './contacts.ts'
import { options } from './options.ts'
import { mountWallet } from './routes.ts'

/** Serves the wallet page, and what it has to know of this server. */
export default definePlugin({
  kind: 'extension',
  name: 'wallet-ui',
  options,
  setup: (host, settings): ExtensionService => ({
    mount: (router, offers) => {
      mountContacts(router, offers)
      mountWallet(router, host, settings, fileURLToPath(new URL('./page/', import.meta.url)))
    },
  }),
})
