// Features the person's own party, as if the super validators had voted for it.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStatus } from '../../lib/facts.ts'
import { validator } from '../../lib/wallet.tsx'
import { ActionButton } from '../../parts/action.tsx'
import { t } from '../../lib/language.ts'

export function Featured(): ReactNode {
  const grant = validator.useMutation('selfGrantFeatureAppRight')
  const cancel = validator.useMutation('cancelFeaturedAppRights')
  const isFeatured = useStatus().data?.has_featured_app_right === true
  return (
    <Stack gap="xs">
      <Text size="sm">
        {isFeatured
          ? t('Your party is a featured app: transfers through it earn it a reward.')
          : t('Your party is not a featured app. As one, transfers through it earn it a reward.')}
      </Text>
      {isFeatured ? (
        <ActionButton key="cancel" variant="default" act={() => cancel.mutateAsync({})}>
          {t('Give up the right')}
        </ActionButton>
      ) : (
        <ActionButton key="grant" variant="default" act={() => grant.mutateAsync({ body: {} })}>
          {t('Feature my party')}
        </ActionButton>
      )}
    </Stack>
  )
}
