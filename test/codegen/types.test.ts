// Types that are printed here, where the foreign generator loses something: they say what the
// document says of their members.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateInto, put, tempFolder, typeCheck } from './generator-kit.ts'

const DOCUMENT = `openapi: 3.1.0
info: { title: Types, version: '1' }
paths: {}
components:
  schemas:
    Base: { type: object, properties: { id: { type: integer, description: Its key. } } }
    Extended:
      allOf:
        - { $ref: '#/components/schemas/Base' }
        - type: object
          required: [size]
          properties:
            size: { type: integer, description: In metres. }
            place:
              type: object
              properties:
                x: { type: number, description: "From the left |\\nof the page." }
                old: { type: number, deprecated: true }
            open: { type: array, prefixItems: [{ type: object, properties: { inner: { type: string, description: In a tuple. } } }] }
`

test('what a document says of members in parts of a type stands above them', async (t) => {
  const out = tempFolder(t)
  put(out, { 'types.yaml': DOCUMENT })
  await generateInto(out, join(out, 'types.yaml'))
  const types = readFileSync(join(out, 'types/types.gen.ts'), 'utf8')
  assert.equal(
    types.slice(types.indexOf('export type Extended')).trim(),
    `export type Extended = Base & ({
    open?: [{
        /** In a tuple. */
        inner?: string;
    }?, ...Array<unknown>];
    place?: {
        /** @deprecated */
        old?: number;
        /**
         * From the left |
         * of the page.
         */
        x?: number;
    };
    /** In metres. */
    size: number;
});`,
  )
  assert.equal(typeCheck(out), '')
})
