// The people whom the person knows by name, and those who were paid before.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useContacts, useNaming } from '../lib/contacts.ts'
import type { Contact } from '../lib/contacts.ts'
import { t } from '../lib/language.ts'
import { usePaid } from '../lib/paid.ts'
import { nameOf } from '../lib/party.ts'
import { Confirm } from '../parts/confirm.tsx'
import { ContactDialog } from '../parts/contact-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { PartyName } from '../parts/party.tsx'
import { WholeParty } from '../parts/whole-party.tsx'
import classes from './people.module.css'

/** The person that a dialog is about; `party` is undefined for a new one. */
type Dialog =
  | { readonly kind: 'name'; readonly party: string | undefined }
  | { readonly kind: 'forget'; readonly party: string }

export default function People(): ReactNode {
  const contacts = useContacts()
  const [dialog, setDialog] = useState<Dialog>()
  const close = (): void => setDialog(undefined)
  return (
    <Page
      title={t('People')}
      about={t('Names that you give to parties. They appear wherever a party id would.')}
      aside={
        <Button
          leftSection={<Icon of="plus" />}
          onClick={() => setDialog({ kind: 'name', party: undefined })}
        >
          {t('Add a person')}
        </Button>
      }
    >
      <Loaded query={contacts}>
        {(known) => (
          <>
            <Known contacts={known} open={setDialog} />
            <Others contacts={known} open={setDialog} />
          </>
        )}
      </Loaded>
      {dialog?.kind === 'name' ? <ContactDialog party={dialog.party} onClose={close} /> : null}
      {dialog?.kind === 'forget' ? <Forget party={dialog.party} onClose={close} /> : null}
    </Page>
  )
}

interface ListProps {
  readonly contacts: readonly Contact[]
  readonly open: (dialog: Dialog) => void
}

function Known({ contacts, open }: ListProps): ReactNode {
  if (contacts.length === 0)
    return <Empty>{t('You have no names yet. Add the people you pay often.')}</Empty>
  return (
    <ul className={classes['list']} aria-label={t('People')}>
      {contacts.map(({ party, name }) => (
        <li key={party} className={classes['row']}>
          <PartyName of={party} label={t('the party id of {0}', name)} />
          <Group gap="xs">
            <SendTo party={party} />
            <Button
              size="xs"
              variant="default"
              aria-label={t('Rename {0}', name)}
              onClick={() => open({ kind: 'name', party })}
            >
              {t('Rename')}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t('Remove {0}', name)}
              onClick={() => open({ kind: 'forget', party })}
            >
              {t('Remove')}
            </Button>
          </Group>
        </li>
      ))}
    </ul>
  )
}

/** Parties that were paid and have no name yet. */
function Others({ contacts, open }: ListProps): ReactNode {
  const named = new Set(contacts.map(({ party }) => party))
  const others = (usePaid()?.parties ?? []).filter((party) => !named.has(party))
  if (others.length === 0) return null
  return (
    <Section title={t('Paid before')}>
      <ul className={classes['list']} aria-label={t('Paid before')}>
        {others.map((party) => (
          <li key={party} className={classes['row']}>
            <WholeParty of={party} canCopy />
            <Group gap="xs">
              <SendTo party={party} />
              <Button
                size="xs"
                variant="default"
                aria-label={t('Add {0}', nameOf(party))}
                onClick={() => open({ kind: 'name', party })}
              >
                {t('Add')}
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function SendTo({ party }: { readonly party: string }): ReactNode {
  return (
    <Button
      component={Link}
      href={`/send?to=${encodeURIComponent(party)}`}
      size="xs"
      variant="light"
      aria-label={t('Send to {0}', nameOf(party))}
    >
      {t('Send')}
    </Button>
  )
}

function Forget({
  party,
  onClose,
}: {
  readonly party: string
  readonly onClose: () => void
}): ReactNode {
  const naming = useNaming()
  return (
    <Confirm
      title={t('Remove {0}?', nameOf(party))}
      confirm={t('Remove')}
      color="red"
      act={() => naming.mutateAsync({ party, name: '' })}
      onClose={onClose}
    >
      <Text size="sm">{t('Only the name is removed. Payments and offers stay as they are.')}</Text>
    </Confirm>
  )
}
