// What a folder of Kustomize is made of, and what Kubernetes' own schemas and types say of it. Only
// as much of Kustomize as `deploy/kubernetes` uses.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { parse } from 'yaml'
import { z } from 'zod'
import { ROOT } from '../support/service.ts'

const generator = z.strictObject({
  name: z.string(),
  behavior: z.literal('replace').optional(),
  files: z.array(z.string()),
})

const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  labels: z.array(z.strictObject({ pairs: z.record(z.string(), z.string()) })).optional(),
  resources: z.array(z.string()),
  images: z
    .array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() }))
    .optional(),
  configMapGenerator: z.array(generator).optional(),
  patches: z.array(z.strictObject({ path: z.string() })).optional(),
})

export type Kustomization = z.infer<typeof kustomization>

/** Reads `kustomization.yaml` of a folder below the repository's root; throws where it is none. */
export function readKustomization(folder: string): Kustomization {
  return kustomization.parse(readYaml(join(folder, 'kustomization.yaml')))
}

/** The content of a YAML file, by its path from the repository's root. */
export function readYaml(file: string): unknown {
  return parse(readFileSync(join(ROOT, file), 'utf8'))
}

/** A value that is to be of a type that `kubernetes-models` exports. */
export interface Typed {
  /** Its name in the answer. */
  readonly name: string
  /** `apps/v1` and the like, which is a folder of the package too. */
  readonly apiVersion: string
  readonly kind: string
  readonly value: unknown
  /** Parts may be missing: it is laid over a whole one. */
  readonly isPatch?: boolean
}

/**
 * The names of those that have a key which their type does not know, or lack one: the schemas, as
 * the servers of Kubernetes, let unknown keys pass.
 */
export function untyped(values: readonly Typed[]): readonly string[] {
  const sources = new Map(values.map((value) => [sourceName(value.name), sourceOf(value)]))
  const host = ts.createCompilerHost({})
  const program = ts.createProgram({
    rootNames: [...sources.keys()],
    options: {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      lib: ['lib.es2022.d.ts'],
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    },
    host: {
      ...host,
      fileExists: (file) => sources.has(file) || host.fileExists(file),
      readFile: (file) => sources.get(file) ?? host.readFile(file),
      getSourceFile: (file, target) => {
        const text = sources.get(file)
        return text === undefined
          ? host.getSourceFile(file, target)
          : ts.createSourceFile(file, text, target)
      },
    },
  })
  return values
    .map(({ name }) => name)
    .filter((name) => {
      const source = program.getSourceFile(sourceName(name))
      return program.getSemanticDiagnostics(source).length > 0
    })
}

function sourceName(name: string): string {
  return join(ROOT, 'test', 'deploy', `${name.replaceAll(/\W/gu, '-')}.manifest.ts`)
}

function sourceOf({ apiVersion, kind, value, isPatch }: Typed): string {
  return [
    `import type { I${kind} } from 'kubernetes-models/${apiVersion}/${kind}'`,
    'type Part<T> = T extends object ? { [K in keyof T]?: Part<T[K]> } : T',
    `export const manifest: ${isPatch === true ? `Part<I${kind}>` : `I${kind}`} =`,
    JSON.stringify(value),
  ].join('\n')
}
