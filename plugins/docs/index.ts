// What a person finds first: the front page at /, the documentation at /docs and the API reference
// at /docs/api, all from this server, so that they work without a network.
import { z } from 'zod'
import type { ExtensionService } from '../../runtime/index.ts'
import { definePlugin } from '../../runtime/index.ts'
import { HEADERS } from './answer.ts'
import { onceDescribed } from './described.ts'
import { mountFront } from './front.ts'
import { mountPages, NOT_FOUND } from './pages.ts'
import { mountReference } from './reference.ts'

/** Serves the front page, the documentation and a reference of the mounted interfaces. */
export default definePlugin({
  kind: 'extension',
  name: 'docs',
  options: z.strictObject({}),
  setup: (host): ExtensionService => ({
    mount: (router, { pageNotFound }) => {
      const describe = onceDescribed(host.documents)
      mountFront(router, host, describe)
      mountReference(router, host, describe)
      mountPages(router)
      pageNotFound({ html: NOT_FOUND, headers: HEADERS })
    },
  }),
})
