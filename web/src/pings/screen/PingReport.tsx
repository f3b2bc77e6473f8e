import type { InvitedPing, PublicPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import { ReportButton } from '../../moderation/ReportButton.tsx'

/** Reports the ping of another user. */
export function PingReport({ ping }: { ping: InvitedPing | PublicPing }) {
  return (
    <Box sx={{ marginInlineStart: -1 }}>
      <ReportButton target={{ kind: 'ping', id: ping.id, hasImage: ping.has_image }} />
    </Box>
  )
}
