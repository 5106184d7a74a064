// What `npm run generate` reads, and where it writes.
import { defineConfig } from 'ledgerwright/codegen'

export const config = defineConfig({
  interfaces: [{ spec: '__spec__', name: '__interface__' }],
  out: 'generated',
  handlers: ['src/handlers'],
})
