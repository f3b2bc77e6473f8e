import { type PingResponse, type ResponseType } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { PingFaces } from './PingFaces.tsx'
import { pingStrings } from './strings.ts'

const order = ['accepted', 'tentative', 'declined'] as const satisfies readonly ResponseType[]
const colours = { accepted: 'success.main', tentative: 'warning.main', declined: 'text.secondary' } as const

/** Counts, faces and names, one line an answer. */
export function WhoIsComing({ responses, viewer }: { responses: readonly PingResponse[]; viewer: User }) {
  const lines = order
    .map((type) => ({ type, people: responses.filter((it) => it.response_type === type) }))
    .filter(({ people }) => people.length > 0)
  if (lines.length === 0) {
    return (
      <Typography variant="body2" color="textSecondary">
        {pingStrings.nobodyYet}
      </Typography>
    )
  }
  return (
    <Box
      component="ul"
      aria-label={pingStrings.responsesTitle}
      sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}
    >
      {lines.map(({ type, people }) => (
        <Box component="li" key={type} sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
          <PingFaces people={people} viewer={viewer} />
          <Typography variant="body2" sx={{ flex: '1 1 120px', minWidth: 0, overflowWrap: 'anywhere' }}>
            <Box component="span" sx={{ fontWeight: 700, color: colours[type] }}>
              {people.length} {pingStrings.responses[type]}
            </Box>{' '}
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {people.map(({ username }) => username).join(', ')}
            </Box>
          </Typography>
        </Box>
      ))}
    </Box>
  )
}
