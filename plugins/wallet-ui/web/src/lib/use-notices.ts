// Browser notifications, for whoever has asked for them: more waits than before, and the page is
// out of sight.
import { useEffect, useRef } from 'react'
import { t } from './language.ts'
import { wantsNotices } from './preferences.ts'
import { useWaitingCount } from './use-offers.ts'

/** Notices for the whole page; call it once. */
export function useNotices(): void {
  const waiting = useWaitingCount()
  const before = useRef(waiting)
  useEffect(() => {
    const isMore = waiting > before.current
    before.current = waiting
    if (!isMore || !document.hidden || !wantsNotices()) return
    if (Notification.permission !== 'granted') return
    const text =
      waiting === 1 ? t('An offer waits for you.') : t('{0} offers wait for you.', waiting)
    new Notification(t('Wallet'), { body: text, tag: 'wallet-offers' })
  }, [waiting])
}
