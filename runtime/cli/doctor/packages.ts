// What `doctor` tells of the packages of a service that runs in the development profile; elsewhere
// it has no token to ask with.
import type { Configuration } from '../../host/config/configuration.ts'
import type { Finding } from '../../host/findings.ts'
import { within } from '../../host/deadline.ts'
import { connectTo } from '../network-connection.ts'
import { isLibrary, packagesAt, runsText } from '../package-states.ts'
import { isServed } from './machine.ts'

const LIMIT_MS = 10_000

/** How many packages are in code, and what runs of each that was uploaded. */
export async function packageFindings(config: Configuration): Promise<readonly Finding[]> {
  if (config.values.profile !== 'dev' || !(await isServed(config))) return []
  const found = await within(LIMIT_MS, async () => packagesAt(await connectTo(config, {})))
  if (!found.ok) return []
  const inCode = found.value.filter(({ runs }) => runs === 'code')
  const uploaded = found.value.filter(({ runs }) => runs !== 'code')
  const shown = uploaded.filter((each) => !isLibrary(each))
  return [
    `${inCode.length} in code, ${uploaded.length} uploaded`,
    ...shown.map((each) => `${each.packageName} ${each.packageVersion} ${runsText(each)}`),
  ].map((text) => ({ outcome: 'ok', text }))
}
