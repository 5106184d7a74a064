// The ways in which coin can be sent, each with a sentence; those that are not possible say why.
import { Group, Radio, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { KIND_TITLES, KIND_WORDS, kindFault, kindsShown } from '../lib/sending.ts'
import type { Kind, Ways } from '../lib/sending.ts'
import { t } from '../lib/language.ts'

interface Props {
  readonly value: Kind
  readonly onChange: (kind: Kind) => void
  readonly ways: Ways
  readonly disabled: boolean
}

export function KindCards({ value, onChange, ways, disabled }: Props): ReactNode {
  const shown = kindsShown(ways)
  const choose = (chosen: string): void => {
    const kind = shown.find((each) => each === chosen)
    if (kind !== undefined) onChange(kind)
  }
  return (
    <Radio.Group label={t('How')} value={value} onChange={choose}>
      <Stack gap="xs" mt={4}>
        {shown.map((kind) => (
          <Card key={kind} kind={kind} fault={kindFault(kind, ways)} disabled={disabled} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

interface CardProps {
  readonly kind: Kind
  readonly fault: string | undefined
  readonly disabled: boolean
}

function Card({ kind, fault, disabled }: CardProps): ReactNode {
  const isOff = disabled || fault !== undefined
  return (
    <Radio.Card
      value={kind}
      disabled={isOff}
      p="sm"
      aria-label={`${KIND_TITLES[kind]}: ${KIND_WORDS[kind]}`}
      opacity={isOff ? 0.7 : 1}
    >
      <Group wrap="nowrap" align="start" gap="sm">
        <Radio.Indicator disabled={isOff} mt={2} />
        <div>
          <Text size="sm" fw={600}>
            {KIND_TITLES[kind]}
          </Text>
          <Text size="sm" c="dimmed">
            {KIND_WORDS[kind]}
          </Text>
          {fault === undefined ? null : <Text size="sm">{fault}</Text>}
        </div>
      </Group>
    </Radio.Card>
  )
}
