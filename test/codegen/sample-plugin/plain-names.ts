// A sample of a plugin that changes names: what a vendor's tool numbered or spelt in its own way
// reads as the team writes.
import { defineGeneratorPlugin, renameOperation, renameSchema } from '../../../codegen/index.ts'
import type { InterfaceIr } from '../../../codegen/index.ts'

/**
 * Operation ids in camel case, schema names without `Dto`, nothing of operations that the vendor
 * marks as internal.
 */
export const plainNames = defineGeneratorPlugin({
  name: 'plain-names',
  version: '1.0.0',
  document: (document) => ({ ...document, 'x-names': 'plain' }),
  ir: (ir) => {
    let changed: InterfaceIr = {
      ...ir,
      operations: ir.operations.filter(({ extensions }) => extensions['x-internal'] !== true),
    }
    for (const { operationId } of changed.operations)
      changed = renameOperation(changed, operationId, camelCase(operationId))
    for (const name of Object.keys(ir.schemas).filter((one) => one.endsWith('Dto'))) {
      changed = renameSchema(changed, name, name.slice(0, -'Dto'.length))
    }
    return changed
  },
})

function camelCase(name: string): string {
  return name.replaceAll(/[_-]+([a-z])/giu, (_, letter: string) => letter.toUpperCase())
}
