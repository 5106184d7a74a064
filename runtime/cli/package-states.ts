// The packages of a running development service, as its commands and `doctor` tell of them.
import { z } from 'zod'
import { developmentAnswer } from './network-connection.ts'
import type { Connection } from './network-connection.ts'

const OBSTACLES = ['in-code', 'not-vetted', 'contract-keys'] as const

const answer = z.object({
  packages: z.array(
    z.object({
      packageId: z.string(),
      packageName: z.string(),
      packageVersion: z.string(),
      runs: z.enum(['code', 'package', 'nothing']),
      reason: z.enum(OBSTACLES).optional(),
      languageVersion: z.string().optional(),
      templates: z.array(z.string()),
      interfaces: z.array(z.string()),
    }),
  ),
})

export type ShownPackage = z.output<typeof answer>['packages'][number]

/** All packages of the service, by name and version. */
export async function packagesAt(connection: Connection): Promise<readonly ShownPackage[]> {
  return answer.parse(await developmentAnswer(connection, 'packages')).packages
}

/** Whether it only serves others: it has no templates and no interfaces. */
export function isLibrary({ templates, interfaces }: ShownPackage): boolean {
  return templates.length + interfaces.length === 0
}

const REASONS = {
  'in-code': 'code of this name runs instead',
  'not-vetted': 'it is not vetted',
  'contract-keys': 'it has contract keys',
} as const

/** What runs of a package, and if nothing does, why. */
export function runsText({ runs, languageVersion, reason }: ShownPackage): string {
  if (runs === 'code') return 'in code'
  if (runs === 'package') return `interpreted, language ${languageVersion}`
  return `does not run: ${reason === undefined ? '' : REASONS[reason]}`
}
