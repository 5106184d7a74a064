// Coin on offer, in or out: what it is, how long it lasts, and what the person can do about it.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { kindText, stateText } from '../lib/offer-words.ts'
import type { Side } from '../lib/offer-words.ts'
import type { Offer } from '../lib/offers.ts'
import { nameOf } from '../lib/party.ts'
import { problemText } from '../lib/problem.ts'
import { useOfferActs, useSaid } from '../lib/use-offer-acts.ts'
import { ActionButton } from './action.tsx'
import { Coin, Dollars } from './money.tsx'
import { PartyName } from './party.tsx'
import type { RejectOffer } from './reject-offer.tsx'
import { DataTable } from './table.tsx'
import type { Column } from './table.tsx'
import { TimeLeft, useNow, When } from './when.tsx'
import { quoted, t } from '../lib/language.ts'
import { rich } from './rich.tsx'

/** Offers that are drawn at first; further ones on demand. */
const PAGE = 50

/** The offer whose rejection is asked about. */
interface Rejected {
  readonly offer: Offer
  readonly Dialog: typeof RejectOffer
}

interface Props {
  readonly side: Side
  /** Offers in the order in which they are shown. */
  readonly offers: readonly Offer[]
}

/**
 * A table (cards where it is narrow) with buttons, and a line that says what was done last: what is
 * done leaves the table.
 */
export function OfferList({ side, offers }: Props): ReactNode {
  const [shown, setShown] = useState(PAGE)
  const [note, setNote] = useState<string>()
  const [rejected, setRejected] = useState<Rejected>()
  // The dialog is loaded when it is wanted: the first page does without.
  const ask = (offer: Offer): void => {
    import('./reject-offer.tsx').then(
      ({ RejectOffer }) => setRejected({ offer, Dialog: RejectOffer }),
      (error: unknown) => setNote(problemText(error)),
    )
  }
  const columns = useColumns(side, setNote, ask)
  return (
    <Stack gap={0}>
      <div role="status">
        {note === undefined ? null : (
          <Alert color="teal" p="xs" mb="sm">
            ✓ {note}
          </Alert>
        )}
      </div>
      {offers.length === 0 ? null : (
        <DataTable
          label={side === 'in' ? t('Offers to you') : t('Your offers')}
          items={offers.slice(0, shown)}
          keyOf={({ id }) => id}
          columns={columns}
        />
      )}
      {offers.length <= shown ? null : (
        <Button variant="default" size="xs" mt="sm" onClick={() => setShown(shown + PAGE)}>
          {rich('Show more ({0} left)', offers.length - shown)}
        </Button>
      )}
      {rejected === undefined ? null : (
        <rejected.Dialog
          offer={rejected.offer}
          onClose={() => setRejected(undefined)}
          note={setNote}
        />
      )}
    </Stack>
  )
}

function useColumns(
  side: Side,
  note: (text: string) => void,
  reject: (offer: Offer) => void,
): readonly Column<Offer>[] {
  return [
    side === 'in'
      ? { title: t('From'), of: ({ sender }) => <PartyName of={sender} label={t('the sender')} /> }
      : {
          title: t('To'),
          of: ({ receiver }) => <PartyName of={receiver} label={t('the receiver')} />,
        },
    {
      title: t('Amount'),
      of: ({ amount }) => (
        <Stack gap={0}>
          <Coin of={amount} fw={600} size="sm" style={{ whiteSpace: 'nowrap' }} />
          <Dollars of={amount} />
        </Stack>
      ),
    },
    { title: t('What'), of: (offer) => <What offer={offer} side={side} /> },
    {
      title: t('Time left'),
      of: ({ expiresAt, createdAt }) => <Times until={expiresAt} since={createdAt} />,
    },
    {
      title: t('Actions'),
      isActions: true,
      of: (offer) => <Actions offer={offer} side={side} note={note} reject={reject} />,
    },
  ]
}

function Times({ until, since }: { readonly until: string; readonly since: string }): ReactNode {
  return (
    <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
      <TimeLeft until={until} />
      <Text size="xs" c="dimmed" component="div">
        {rich('made {0}', <When at={since} />)}
      </Text>
    </Stack>
  )
}

function What({ offer, side }: { readonly offer: Offer; readonly side: Side }): ReactNode {
  const isExpired = useIsExpired(offer)
  return (
    <Stack gap={2} miw={96} maw={340}>
      {offer.description === '' ? null : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {quoted(offer.description)}
        </Text>
      )}
      <Text size="sm" fw={500}>
        {kindText(offer.kind)}
      </Text>
      <Text size="xs" c={isExpired ? 'orange' : 'dimmed'} style={{ overflowWrap: 'anywhere' }}>
        {stateText(offer, side, isExpired)}
      </Text>
    </Stack>
  )
}

interface ActionsProps {
  readonly offer: Offer
  readonly side: Side
  readonly note: (text: string) => void
  readonly reject: (offer: Offer) => void
}

function Actions({ offer, side, note, reject }: ActionsProps): ReactNode {
  const isExpired = useIsExpired(offer)
  const { accept, withdraw } = useOfferActs(offer)
  const said = useSaid(offer)
  if (offer.kind === 'accepted') return null
  if (side === 'out') {
    return (
      <ActionButton
        variant="default"
        act={withdraw}
        about={t('{0} for {1}', said, nameOf(offer.receiver))}
        onDone={() => note(t('Withdrawn: {0} for {1}.', said, nameOf(offer.receiver)))}
      >
        {t('Withdraw')}
      </ActionButton>
    )
  }
  const from = t('{0} from {1}', said, nameOf(offer.sender))
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      {isExpired ? null : (
        <ActionButton act={accept} about={from} onDone={() => note(t('Accepted: {0}.', from))}>
          {t('Accept')}
        </ActionButton>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={t('Reject: {0}', from)}
        onClick={() => reject(offer)}
      >
        {t('Reject')}
      </Button>
    </Group>
  )
}

function useIsExpired({ expiresAt }: Offer): boolean {
  return Date.parse(expiresAt) <= useNow(1_000)
}
