// A sample of an emitter that lives outside the generator: a function for every path, typed by its
// parameters. A project imports the same names from 'ledgerwright/codegen'.
import { defineGeneratorPlugin } from '../../../codegen/index.ts'
import type { InterfaceIr, OperationIr, ParameterIr, Schema } from '../../../codegen/index.ts'

/** Emits `NAME/paths.gen.ts`. */
export const typedPaths = defineGeneratorPlugin({
  name: 'typed-paths',
  version: '1.0.0',
  emit: (ir) => ({
    [`${ir.name}/paths.gen.ts`]: ir.operations
      .map((operation) => printPath(ir, operation))
      .join('\n'),
  }),
})

function printPath(ir: InterfaceIr, operation: OperationIr): string {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path')
  const members = parameters.map(
    (parameter) => `readonly ${JSON.stringify(parameter.name)}: ${typeOf(ir, parameter)}`,
  )
  const template = operation.path.replaceAll(
    /\{([^{}]+)\}/gu,
    (_, name: string) => `\${encodeURIComponent(String(path[${JSON.stringify(name)}]))}`,
  )
  return [
    `/** ${operation.method} ${operation.path} */`,
    `export function ${operation.operationId}Path(${members.length === 0 ? '' : `path: { ${members.join('; ')} }`}): string {`,
    `  return \`${template}\``,
    '}',
    '',
  ].join('\n')
}

function typeOf(ir: InterfaceIr, { schema }: ParameterIr): string {
  const known: Schema =
    typeof schema === 'object' && schema.$ref !== undefined
      ? (ir.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? true)
      : schema
  const type = typeof known === 'object' ? known.type : undefined
  return type === 'integer' || type === 'number'
    ? 'number | bigint'
    : type === 'boolean'
      ? 'boolean'
      : 'string'
}
