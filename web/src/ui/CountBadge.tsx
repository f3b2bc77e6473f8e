import Box from '@mui/material/Box'

const cap = 99

interface Props {
  count: number
  /** Whether an item needs the viewer's action. */
  isUrgent?: boolean
}

/** A number in a pill that grows with the text size of the browser. */
export function CountBadge({ count, isUrgent = false }: Props) {
  return (
    <Box
      component="span"
      sx={{
        flexShrink: 0,
        minWidth: '1.375rem',
        height: '1.375rem',
        px: '0.375rem',
        display: 'inline-grid',
        placeItems: 'center',
        borderRadius: 999,
        fontSize: '0.75rem',
        fontWeight: 700,
        ...(isUrgent ? { bgcolor: '#C62A2F', color: '#fff' } : { bgcolor: 'action.selected', color: 'text.primary' }),
      }}
    >
      {count > cap ? `${cap}+` : count}
    </Box>
  )
}
