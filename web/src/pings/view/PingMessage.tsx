import Typography from '@mui/material/Typography'
import { LinkedText } from '../../ui/linked-text/LinkedText.tsx'

/** The message of the owner. Renders nothing without one. */
export function PingMessage({ text }: { text: string | null }) {
  if (!text) return null
  return (
    <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: '1.0625rem' }}>
      <LinkedText content={text} />
    </Typography>
  )
}
