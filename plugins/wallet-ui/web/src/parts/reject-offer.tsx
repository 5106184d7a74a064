// Asks before coin that is on offer is given up.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { nameOf } from '../lib/party.ts'
import type { Offer } from '../lib/offers.ts'
import { useOfferActs, useSaid } from '../lib/use-offer-acts.ts'
import { Confirm } from './confirm.tsx'
import { rich } from './rich.tsx'

interface Props {
  readonly offer: Offer
  readonly onClose: () => void
  readonly note: (text: string) => void
}

/** Rejecting gives coin up, so it is asked once more. */
export function RejectOffer({ offer, onClose, note }: Props): ReactNode {
  const { reject } = useOfferActs(offer)
  const said = useSaid(offer)
  const sender = nameOf(offer.sender)
  const close = (isDone: boolean): void => {
    if (isDone) note(t('Rejected: {0} from {1}.', said, sender))
    onClose()
  }
  return (
    <Confirm
      title={t('Reject the coin?')}
      confirm={t('Reject')}
      color="red"
      act={reject}
      onClose={close}
    >
      <Text size="sm">
        {rich(
          'You give up {0}. {1}; {2} can offer it again.',
          said,
          offer.kind === 'offer'
            ? t('Nothing was paid yet')
            : t('The coin goes back to {0}', sender),
          sender,
        )}
      </Text>
    </Confirm>
  )
}
