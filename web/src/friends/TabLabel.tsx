import Box from '@mui/material/Box'

const badgeCap = 99

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
      {count > 0 && (
        <Box
          component="span"
          sx={{
            minWidth: 22,
            height: 22,
            px: 0.75,
            borderRadius: 999,
            display: 'inline-grid',
            placeItems: 'center',
            fontSize: '0.75rem',
            fontWeight: 700,
            ...(isUrgent
              ? { bgcolor: '#C62A2F', color: '#fff' }
              : { bgcolor: 'action.selected', color: 'text.primary' }),
          }}
        >
          {count > badgeCap ? `${badgeCap}+` : count}
        </Box>
      )}
    </Box>
  )
}
