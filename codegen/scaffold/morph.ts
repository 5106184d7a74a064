// ts-morph for what needs to know which names of a file mean the same: loaded only where something
// has another name.
import type { Project, SourceFile } from 'ts-morph'
import type { Module } from './module.ts'

/** Files as ts-morph sees them: each alone, without its imports and the library. */
export interface Morph {
  sourceOf(module: Module): SourceFile
}

/**
 * Loads ts-morph, a third of a second. Throws, with the command that brings it, where this optional
 * peer is absent.
 */
export async function loadMorph(): Promise<Morph> {
  requireMorph()
  const { Project: Workspace } = await import('ts-morph')
  const project: Project = new Workspace({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    skipAddingFilesFromTsConfig: true,
    compilerOptions: { noLib: true, noResolve: true, types: [] },
  })
  const known = new Map<Module, SourceFile>()
  return {
    sourceOf(module) {
      const source = known.get(module) ?? project.createSourceFile(module.file, module.text)
      known.set(module, source)
      return source
    },
  }
}

function requireMorph(): void {
  try {
    import.meta.resolve('ts-morph')
  } catch {
    throw new Error(
      'renaming in your files needs the package ts-morph: npm install --save-dev ts-morph',
    )
  }
}
