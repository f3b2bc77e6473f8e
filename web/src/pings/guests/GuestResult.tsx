import Typography from '@mui/material/Typography'
import { useEffect, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import type { GuestAnswer } from './guest.rules.ts'

interface Props {
  owner: string
  answer: GuestAnswer
  delivery: 'unsent' | 'waiting' | 'visible'
  /** Whether it replaces the form, which had the focus. */
  takesFocus: boolean
}

const deliveryTexts = {
  unsent: () => t('pings.guest.unsent'),
  waiting: (owner: string) => t('pings.guest.waitingFor', { owner }),
  visible: (owner: string) => t('pings.guest.visibleTo', { owner }),
} as const

/** The response of this device. */
export function GuestResult({ owner, answer, delivery, takesFocus }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [])

  return (
    <>
      <Typography ref={heading} tabIndex={-1} component="h2" variant="h3" sx={{ outline: 'none' }}>
        {t(`pings.guest.results.${answer.response_type}`)}
      </Typography>
      <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {deliveryTexts[delivery](owner)}
      </Typography>
    </>
  )
}
