// What is asked before a minting delegation or its proposal changes; one that takes the place of
// another shows both.
import { Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Delegation } from '../lib/delegations.ts'
import { validator } from '../lib/wallet.tsx'
import { Confirm } from './confirm.tsx'
import { PartyName } from './party.tsx'
import { When } from './when.tsx'
import { t } from '../lib/language.ts'

export type DelegationAct = 'accept' | 'reject' | 'withdraw' | 'end'

interface Props {
  readonly act: DelegationAct
  readonly delegation: Delegation
  /** Delegations that are active now. */
  readonly active: readonly Delegation[]
  readonly onClose: (isDone: boolean) => void
}

const WORDS: Readonly<
  Record<DelegationAct, { readonly title: string; readonly confirm: string; readonly what: string }>
> = {
  accept: {
    title: t('Accept the proposal?'),
    confirm: t('Accept'),
    what: t(
      'This validator will mint the rewards of the beneficiary into its own coins, and merge its coins once there are twice as many as the limit.',
    ),
  },
  reject: {
    title: t('Reject the proposal?'),
    confirm: t('Reject'),
    what: t('The proposal is rejected. The beneficiary can make another.'),
  },
  withdraw: {
    title: t('Withdraw the proposal?'),
    confirm: t('Withdraw'),
    what: t('The proposal is withdrawn. You can make another.'),
  },
  end: {
    title: t('End the delegation?'),
    confirm: t('End it'),
    what: t(
      'Nobody mints the rewards of the beneficiary any more, unless it makes a new proposal.',
    ),
  },
}

export function DelegationDialog({ act, delegation, active, onClose }: Props): ReactNode {
  const run = useRun(act)
  const { title, confirm, what } = WORDS[act]
  const replaced =
    act === 'accept'
      ? active.find(
          ({ beneficiary, delegate }) =>
            beneficiary === delegation.beneficiary && delegate === delegation.delegate,
        )
      : undefined
  return (
    <Confirm
      title={title}
      confirm={confirm}
      act={() => run({ path: { contract_id: delegation.id } })}
      onClose={onClose}
      {...(act === 'accept' ? {} : { color: 'red' })}
    >
      <Stack gap="xs">
        <Text size="sm">{what}</Text>
        <PartyName of={delegation.beneficiary} label={t('the beneficiary')} />
        {replaced === undefined ? null : (
          <Text size="sm" fw={500}>
            {t('It replaces the one that is active now.')}
          </Text>
        )}
        <Terms current={replaced} proposed={delegation} />
      </Stack>
    </Confirm>
  )
}

/** All four take the id of a contract and nothing else. */
function useRun(
  act: DelegationAct,
): (input: { readonly path: { readonly contract_id: string } }) => Promise<unknown> {
  const mutations = {
    accept: validator.useMutation('acceptMintingDelegationProposal'),
    reject: validator.useMutation('rejectMintingDelegationProposal'),
    withdraw: validator.useMutation('withdrawMintingDelegationProposal'),
    end: validator.useMutation('rejectMintingDelegation'),
  }
  return (input) => mutations[act].mutateAsync(input)
}

function Terms({
  current,
  proposed,
}: {
  readonly current: Delegation | undefined
  readonly proposed: Delegation
}): ReactNode {
  const sides = current === undefined ? [proposed] : [current, proposed]
  return (
    <Table aria-label={t('Terms')} withTableBorder>
      {current === undefined ? null : (
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="col">{t('Current')}</Table.Th>
            <Table.Th scope="col">{t('New')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
      )}
      <Table.Tbody>
        <Table.Tr>
          <Table.Th scope="row">{t('Merge limit')}</Table.Th>
          {sides.map(({ id, mergeLimit }) => (
            <Table.Td key={id}>{t('{0} coins', mergeLimit)}</Table.Td>
          ))}
        </Table.Tr>
        <Table.Tr>
          <Table.Th scope="row">{t('Expires')}</Table.Th>
          {sides.map(({ id, expiresAt }) => (
            <Table.Td key={id}>
              <When at={expiresAt} />
            </Table.Td>
          ))}
        </Table.Tr>
      </Table.Tbody>
    </Table>
  )
}
