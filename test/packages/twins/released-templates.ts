// Templates of a released archive for an engine that has no others: no package is in code there.
import { LoadedPackages } from '../../../runtime/packages/templates/loaded-packages.ts'
import type { AnyTemplate, TemplateSource } from '../../../runtime/engine/index.ts'
import type { InCode } from '../../../runtime/packages/templates/in-code.ts'
import { archivesIn } from '../released.ts'

const LIMITS = { steps: 20_000_000, cells: 100_000_000, depth: 200_000 }

const SAME = { template: (id: string) => id, payload: (value: unknown) => value }
const NOTHING: InCode = { names: new Set(), interfaces: new Map(), inward: SAME, outward: SAME }

/** Templates of one archive and of all that it brings along. */
export interface ReleasedTemplates extends TemplateSource {
  /** The template that `<Module>:<Entity>` names; undefined where the archive has none. */
  named(entity: string): AnyTemplate | undefined
}

/** The templates of the archives of these names. */
export async function releasedTemplates(...dars: readonly string[]): Promise<ReleasedTemplates> {
  let archives = await archivesIn(dars[0] ?? '')
  for (const dar of dars.slice(1)) archives = await archivesIn(dar, archives)
  const packages = {
    get: (ids: readonly string[]) =>
      Promise.resolve(ids.filter((id) => archives.has(id)).map(recordOf)),
    payloadStream: (id: string) => Promise.resolve(inOnePiece(archives.get(id)?.payload)),
  }
  const loaded = new LoadedPackages({ packages, inCode: NOTHING, limits: LIMITS })
  await loaded.load([...archives.keys()])
  const held = {
    get: (id: string) => loaded.template(id),
    ready: () => Promise.resolve(),
  }
  return {
    ...held,
    hold: () => held,
    refusal: () => Promise.resolve(undefined),
    named: (entity) =>
      [...archives.keys()]
        .map((id) => loaded.template(`${id}:${entity}`))
        .find((of) => of !== undefined),
  }
}

function recordOf(packageId: string) {
  const summary = JSON.stringify({ dependencies: [] })
  return { packageId, name: '', version: '', size: 0, summary, vetted: true }
}

async function* inOnePiece(bytes: Uint8Array | undefined) {
  if (bytes !== undefined) yield bytes
}
