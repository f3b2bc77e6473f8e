import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface Props {
  label: string
  value: string
  note?: string
  children?: ReactNode
}

export function SettingRow({ label, value, note, children }: Props) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 2, py: 1.25, minHeight: 68 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" color="textSecondary">
          {label}
        </Typography>
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{value}</Typography>
        {note !== undefined && (
          <Typography variant="body2" color="textSecondary" sx={{ fontSize: '0.8125rem', mt: 0.25 }}>
            {note}
          </Typography>
        )}
      </Box>
      {children}
    </Box>
  )
}
