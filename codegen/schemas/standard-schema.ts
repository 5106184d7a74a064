// A generator plugin: the schemas of documents as Standard Schema, which forms, routers and
// procedure libraries take where they take a schema of a validation library.
import { readFileSync } from 'node:fs'
import { schemaTypeNames } from '../emit/names.ts'
import { checkName, liftName, needsLift } from '../emit/validators.ts'
import type { InterfaceIr } from '../ir.ts'
import { defineGeneratorPlugin } from '../plugin.ts'
import type { GeneratorPlugin } from '../plugin.ts'
import { compareText } from '../values.ts'

const VERSION = '1'
/** The file that the schemas of all interfaces are made with, below the output folder. */
const SUPPORT_FILE = 'standard-schema.gen.ts'

/**
 * Adds `NAME/schemas.gen.ts` for every interface: each component schema as a Standard Schema of the
 * type's name, over the printed validators. Nothing is to be installed for it.
 */
export function standardSchemas(): GeneratorPlugin {
  return defineGeneratorPlugin({
    name: 'standard-schemas',
    version: VERSION,
    emit: (ir) => {
      const text = printSchemas(ir)
      return text === '' ? {} : { [SUPPORT_FILE]: support(), [`${ir.name}/schemas.gen.ts`]: text }
    },
  })
}

function support(): string {
  return readFileSync(new URL('./support/standard-schema.ts', import.meta.url), 'utf8')
}

function printSchemas(ir: InterfaceIr): string {
  const names = [...schemaTypeNames(ir)].sort(([a], [b]) => compareText(a, b))
  const constants = names.map(([name, type]) => {
    const lift = needsLift(ir, ir.schemas[name] ?? true) ? `, validators.${liftName(name)}` : ''
    return `export const ${type} = standardSchema<types.${type}>(validators.${checkName(name)}${lift})`
  })
  if (constants.length === 0) return ''
  return `import { standardSchema } from '../${SUPPORT_FILE}'
import type * as types from './types.gen.ts'
import * as validators from './validators.gen.ts'

${constants.join('\n')}
`
}
