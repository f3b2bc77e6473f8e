import { type Ping } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { canSeeResponses } from './pings.rules.ts'
import { pingStrings } from './strings.ts'
import { WhoIsComing } from './WhoIsComing.tsx'

/** Everyone's answers for those who may see them, and who was invited. */
export function PingGuests({ ping, viewer }: { ping: Ping; viewer: User }) {
  return (
    <>
      {canSeeResponses(ping, viewer.id) && (
        <Box component="section" sx={{ display: 'grid', gap: 1 }}>
          <Typography component="h2" variant="subtitle1">
            {pingStrings.responsesTitle}
          </Typography>
          <WhoIsComing responses={ping.responses} viewer={viewer} />
        </Box>
      )}
      {ping.recipients.length > 0 && (
        <Box component="section" sx={{ display: 'grid', gap: 1 }}>
          <Typography component="h2" variant="subtitle1">
            {pingStrings.recipients}
          </Typography>
          <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, p: 0, listStyle: 'none' }}>
            {ping.recipients.map(({ id, recipient_username }) => (
              <li key={id}>
                <Chip label={recipient_username} />
              </li>
            ))}
          </Box>
        </Box>
      )}
    </>
  )
}
