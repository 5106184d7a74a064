// What a package may hold depends on the version of the language that it says it is of.
import { MalformedArchive } from '../archive/message.ts'
import { compareVersions } from '../summary/summary.ts'

/** Refuses what later versions of the language brought. Throws MalformedArchive. */
export function demandVersion(stated: string, since: string, what: string): void {
  if (compareVersions(stated, since) < 0)
    throw new MalformedArchive(
      `${what} is of language version ${since}, and the package of ${stated} (rule language version)`,
    )
}
