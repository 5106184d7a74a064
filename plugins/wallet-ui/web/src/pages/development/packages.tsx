// The packages of the server that answers, and what runs of each: our code, the package itself, or
// nothing.
import { Badge, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../../lib/language.ts'
import { useWallet } from '../../lib/wallet.tsx'
import { Loaded } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table.tsx'

interface Package {
  readonly packageId: string
  readonly packageName: string
  readonly packageVersion: string
  readonly runs: 'code' | 'package' | 'nothing'
  readonly reason?: keyof typeof REASONS
  readonly languageVersion?: string
  readonly templates: readonly string[]
  readonly interfaces: readonly string[]
}

const RUNS = {
  code: ['gray', t('in code')],
  package: ['teal', t('interpreted')],
  nothing: ['orange', t('does not run')],
} as const

const REASONS = {
  'in-code': t('Code of this name runs instead.'),
  'not-vetted': t('It is not vetted.'),
  'contract-keys': t('It has contract keys.'),
} as const

/** Templates and interfaces that are named. */
const MOST = 6

export function Packages(): ReactNode {
  const { token } = useWallet().session
  const query = useQuery({
    queryKey: ['development', 'packages', token],
    queryFn: ({ signal }) => readPackages(token, signal),
  })
  return <Loaded query={query}>{(packages) => <Listed packages={packages} />}</Loaded>
}

async function readPackages(token: string, signal: AbortSignal): Promise<readonly Package[]> {
  const answer = await fetch('/development/packages', {
    signal,
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(t('The server refused with {0}.', answer.status))
  const { packages }: { readonly packages: readonly Package[] } = await answer.json()
  return packages
}

function Listed({ packages }: { readonly packages: readonly Package[] }): ReactNode {
  const shown = packages.filter((each) => entitiesOf(each).length > 0)
  return (
    <Stack gap="xs">
      <DataTable
        label={t('Packages')}
        items={shown.toSorted((one, other) => placeOf(one) - placeOf(other))}
        keyOf={({ packageId }) => packageId}
        columns={[
          { title: t('Package'), of: ({ packageName }) => packageName },
          { title: t('Version'), of: ({ packageVersion }) => packageVersion },
          { title: t('What runs'), of: (each) => <Runs of={each} /> },
          { title: t('Language'), of: ({ languageVersion }) => languageVersion ?? '–' },
          { title: t('Templates and interfaces'), of: (each) => <Entities of={each} /> },
        ]}
      />
      <Text size="sm" c="dimmed">
        {t('{0} more without templates and interfaces.', packages.length - shown.length)}
      </Text>
    </Stack>
  )
}

function Runs({ of: { runs, reason } }: { readonly of: Package }): ReactNode {
  const [color, text] = RUNS[runs]
  return (
    <>
      <Badge variant="light" color={color} miw="max-content">
        {text}
      </Badge>
      {reason === undefined ? null : <Text size="xs">{REASONS[reason]}</Text>}
    </>
  )
}

function Entities({ of }: { readonly of: Package }): ReactNode {
  const names = entitiesOf(of).map((name) => name.slice(name.indexOf(':') + 1))
  const more = names.length - MOST
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }} title={entitiesOf(of).join('\n')}>
      {names.slice(0, MOST).join(', ')}
      {more > 0 ? ` ${t('and {0} more', more)}` : null}
    </Text>
  )
}

function entitiesOf({ templates, interfaces }: Package): readonly string[] {
  return [...templates, ...interfaces]
}

/** What somebody has just uploaded comes first. */
function placeOf({ runs }: Package): number {
  return ['package', 'nothing', 'code'].indexOf(runs)
}
