// The person's own preapproval: on, off or asked for, and the way from one to the other.
import { Alert, Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { asDollars, shownAmount } from '../../lib/amount.ts'
import { useStatus } from '../../lib/facts.ts'
import { useIsRequested, usePreapproval } from '../../lib/preapproval.ts'
import type { Preapproval, PreapprovalState } from '../../lib/preapproval.ts'
import { isRefusal, problemText } from '../../lib/problem.ts'
import { useRules } from '../../lib/rules.ts'
import { ledger, validator } from '../../lib/wallet.tsx'
import { ActionButton } from '../../parts/action.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { PartyName } from '../../parts/party.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { t } from '../../lib/language.ts'
import { rich } from '../../parts/rich.tsx'

export function OwnPreapproval(): ReactNode {
  const party = useStatus().data?.party_id ?? ''
  const state = usePreapproval(party)
  return (
    <Section title={t('Yours')}>
      <Card withBorder maw={760}>
        <Stack>
          <OfState state={state} party={party} />
        </Stack>
      </Card>
    </Section>
  )
}

function OfState({
  state,
  party,
}: {
  readonly state: PreapprovalState
  readonly party: string
}): ReactNode {
  const isRequested = useIsRequested(party, state.kind === 'none')
  switch (state.kind) {
    case 'asking':
      return <Text c="dimmed">{t('Asking the network…')}</Text>
    case 'unknown':
      return (
        <Alert color="red" role="alert">
          {problemText(state.error)}
        </Alert>
      )
    case 'active':
      return <Active preapproval={state.preapproval} />
    case 'expired':
      return (
        <Off
          badge={t('expired')}
          text={t('It expired before it was renewed. You now have to accept each payment.')}
          button={t('Turn it on again')}
        />
      )
    case 'none':
      return isRequested ? (
        <Off
          badge={t('requested')}
          text={t(
            'You have requested it. The operator has not accepted it yet, and may be short of coin.',
          )}
          button={t('Request again')}
        />
      ) : (
        <Off
          badge={t('off')}
          text={t('Payments to you wait until you accept them, or are locked until then.')}
          button={t('Turn on')}
        />
      )
  }
}

export function PreapprovalFacts({
  preapproval,
}: {
  readonly preapproval: Preapproval
}): ReactNode {
  const { validFrom, renewedAt, expiresAt, provider } = preapproval
  return (
    <Facts
      label={t('Preapproval')}
      of={[
        [t('Since'), <When at={validFrom} />],
        ...(renewedAt === validFrom ? [] : [[t('Renewed'), <When at={renewedAt} />] as const]),
        [
          t('Valid until'),
          <Group gap="xs">
            <When at={expiresAt} />
            <TimeLeft until={expiresAt} />
          </Group>,
        ],
        [t('Provider'), <PartyName of={provider} label={t('provider')} />],
      ]}
    />
  )
}

function Active({ preapproval }: { readonly preapproval: Preapproval }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Group>
        <Badge color="teal" variant="light">
          {t('on')}
        </Badge>
        <Text>{t('Anyone who knows your party can pay you in one step.')}</Text>
      </Group>
      <PreapprovalFacts preapproval={preapproval} />
      <Text size="sm" c="dimmed">
        {t('The provider renews it before it ends, and may earn a reward when you are paid.')}
      </Text>
      <Group>
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('Turn off')}
        </Button>
      </Group>
      {isAsking ? <Cancel preapproval={preapproval} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

/** The receiver may end it on the ledger; the wallet's own interface lets only operators. */
function Cancel({
  preapproval,
  onClose,
}: {
  readonly preapproval: Preapproval
  readonly onClose: () => void
}): ReactNode {
  const submit = ledger.useMutation('submitAndWait')
  const { id: contractId, templateId, receiver } = preapproval
  const ExerciseCommand = {
    templateId,
    contractId,
    choice: 'TransferPreapproval_Cancel',
    choiceArgument: { p: receiver },
  }
  return (
    <Confirm
      title={t('Turn the preapproval off?')}
      confirm={t('Turn off')}
      color="red"
      onClose={onClose}
      act={(key) =>
        submit.mutateAsync({
          body: { commandId: key, actAs: [receiver], commands: [{ ExerciseCommand }] },
        })
      }
    >
      <Text>
        {t('Payments to you will have to be accepted. You can turn it on again at any time.')}
      </Text>
    </Confirm>
  )
}

function Off({
  badge,
  text,
  button,
}: {
  readonly badge: string
  readonly text: string
  readonly button: string
}): ReactNode {
  const create = validator.useMutation('createTransferPreapproval')
  const act = async (): Promise<void> => {
    try {
      await create.mutateAsync({})
    } catch (error) {
      // It is there already, which is what was asked for.
      if (!isRefusal(error) || error.status !== 409) throw error
    }
  }
  return (
    <>
      <Group>
        <Badge color="gray" variant="light">
          {badge}
        </Badge>
        <Text>{text}</Text>
      </Group>
      <Fee />
      <ActionButton size="sm" act={act}>
        {button}
      </ActionButton>
    </>
  )
}

function Fee(): ReactNode {
  const rules = useRules()
  if (rules === undefined) return null
  const after =
    rules.preapprovalFee === 0n
      ? 'nothing'
      : t('{0} a day, in coin', asDollars(shownAmount(rules.preapprovalFee)))
  return (
    <Text size="sm" c="dimmed">
      {rich(
        'It costs you nothing: the operator of this validator provides it and pays the network. Up to {0} days at once are free for the operator too; more costs {1}.',
        String(rules.freePreapproval),
        after,
      )}
    </Text>
  )
}
