import Box from '@mui/material/Box'
import { CountBadge } from '../ui/CountBadge.tsx'

interface Props {
  text: string
  count: number
  /** Whether an item needs the viewer's action. */
  isUrgent?: boolean
}

export function TabLabel({ text, count, isUrgent = false }: Props) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      {text}
      {count > 0 && <CountBadge count={count} isUrgent={isUrgent} />}
    </Box>
  )
}
