import type { SecurityEvent } from '@hither/contract/auth/security-events.ts'
import SecurityRounded from '@mui/icons-material/SecurityRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { t, textOf } from '../../../i18n/translate.ts'
import { shortDate } from '../../../ui/format-time.ts'
import { lazyComponent } from '../../../ui/lazy.tsx'
import { HomeNotice } from '../HomeNotice.tsx'
import { securityEventsQuery, useMarkSeen } from './security-events.api.ts'

const RemainingSignIns = lazyComponent(async () => (await import('../remaining/RemainingSignIns.tsx')).RemainingSignIns)

const shownMax = 3

/** Names the changes on other devices that the user has not seen. After a new password, shows what can still sign in. */
export function SecurityBanner() {
  const { data: events = [] } = useQuery({ ...securityEventsQuery(), enabled: false })
  const { mutate: markSeen } = useMarkSeen()
  const unseen = events.filter(({ seen_at }) => seen_at === null)
  const [newest] = unseen
  if (newest === undefined) return null
  const hasNewPassword = unseen.some(({ kind }) => kind === 'password_changed' || kind === 'password_reset')
  return (
    <HomeNotice
      icon={<SecurityRounded />}
      actions={[{ label: t('profile.signIn.ok'), onClick: () => markSeen(newest.id) }]}
    >
      {unseen.slice(0, shownMax).map((event) => (
        <Typography key={event.id} variant="body2" sx={{ fontWeight: 600 }}>
          {sentenceOf(event)}
        </Typography>
      ))}
      {hasNewPassword && (
        <Box sx={{ mt: 1, maxHeight: '40vh', overflowY: 'auto' }}>
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {t('profile.signIn.stillTitle')}
          </Typography>
          <RemainingSignIns />
        </Box>
      )}
    </HomeNotice>
  )
}

function sentenceOf({ kind, created_at }: SecurityEvent): string {
  return t('profile.signIn.onDay', {
    sentence: textOf(`profile.signIn.events.${kind}`) ?? kind,
    day: shortDate(created_at),
  })
}
