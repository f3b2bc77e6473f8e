import type { SecurityEvent } from '@hither/contract/auth/security-events.ts'
import SecurityRounded from '@mui/icons-material/SecurityRounded'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { shortDate } from '../../../ui/format-time.ts'
import { HomeNotice } from '../HomeNotice.tsx'
import { signInStrings as strings } from '../sign-in-strings.ts'
import { securityEventsQuery, useMarkSeen } from './security-events.api.ts'

const shownMax = 3

/** Names the changes on other devices that the user has not seen. */
export function SecurityBanner() {
  const { data: events = [] } = useQuery({ ...securityEventsQuery(), enabled: false })
  const { mutate: markSeen } = useMarkSeen()
  const unseen = events.filter(({ seen_at }) => seen_at === null)
  const [newest] = unseen
  if (newest === undefined) return null
  return (
    <HomeNotice icon={<SecurityRounded />} actions={[{ label: strings.ok, onClick: () => markSeen(newest.id) }]}>
      {unseen.slice(0, shownMax).map((event) => (
        <Typography key={event.id} variant="body2" sx={{ fontWeight: 600 }}>
          {sentenceOf(event)}
        </Typography>
      ))}
    </HomeNotice>
  )
}

function sentenceOf({ kind, created_at }: SecurityEvent): string {
  return strings.onDay(strings.events[kind], shortDate(created_at))
}
