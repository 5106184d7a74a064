// What the tests of the conformance runner share: documents once a process, and a run in this
// process.
import { join } from 'node:path'
import { loadDocuments } from '../../runtime/cli/conform-documents.ts'
import { WIRE_TOOLS } from '../../runtime/cli/conform.ts'
import { reportText, runConformance } from '../../runtime/testing/conform.ts'
import type {
  ConformOptions,
  ConformReport,
  InterfaceFacts,
} from '../../runtime/testing/conform.ts'
import { ROOT } from '../support/service.ts'

const LOADED = new Map<string, Promise<readonly InterfaceFacts[]>>()

/** The facts of a document, or of the service's own. */
export function documentsOf(spec?: string): Promise<readonly InterfaceFacts[]> {
  const known = LOADED.get(spec ?? '')
  const loaded =
    known ?? loadDocuments({ specs: spec === undefined ? undefined : [spec], cache: undefined })
  LOADED.set(spec ?? '', loaded)
  return loaded
}

/** The facts of the service's own documents in the names of a preset. */
export function presetDocuments(preset: string | undefined): Promise<readonly InterfaceFacts[]> {
  return preset === undefined
    ? documentsOf()
    : loadDocuments({
        specs: undefined,
        cache: undefined,
        load: { vocabulary: join(ROOT, `spec/presets/${preset}.yaml`) },
      })
}

/** A run against a server. */
export async function conform(
  interfaces: readonly InterfaceFacts[],
  url: string,
  options: Omit<ConformOptions, 'interfaces' | 'tools' | 'url'>,
): Promise<ConformReport> {
  return runConformance({ interfaces, tools: WIRE_TOOLS, url: new URL(url), ...options })
}

/** Findings for a person who reads a failed test. */
export function shown(report: ConformReport, url: string): string {
  return reportText(report, {
    origin: url,
    replay: ({ seed, operationId }) => `seed ${seed}, only ${operationId}`,
  })
}
