import { type PingResponse, type ResponseType } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { pingStrings } from './strings.ts'

const order = ['accepted', 'tentative', 'declined'] as const satisfies readonly ResponseType[]
const colours = { accepted: 'success.main', tentative: 'warning.main', declined: 'text.secondary' } as const

/** Counts and names, one line an answer. */
export function WhoIsComing({ responses }: { responses: readonly PingResponse[] }) {
  const lines = order
    .map((type) => ({ type, names: responses.filter((it) => it.response_type === type).map((it) => it.username) }))
    .filter(({ names }) => names.length > 0)
  if (lines.length === 0) {
    return (
      <Typography variant="body2" color="textSecondary">
        {pingStrings.nobodyYet}
      </Typography>
    )
  }
  return (
    <Box component="ul" aria-label={pingStrings.responsesTitle} sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {lines.map(({ type, names }) => (
        <Typography key={type} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          <Box component="span" sx={{ fontWeight: 700, color: colours[type] }}>
            {names.length} {pingStrings.responses[type]}
          </Box>{' '}
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {names.join(', ')}
          </Box>
        </Typography>
      ))}
    </Box>
  )
}
