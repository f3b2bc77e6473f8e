import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ReactNode } from 'react'

interface Props {
  icon: ReactNode
  actions: { label: string; isMain?: boolean; onClick: () => void }[]
  children: ReactNode
}

/** A notice above the map, which stays until the user chooses an action. */
export function HomeNotice({ icon, actions, children }: Props) {
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1.5,
        px: 2,
        py: 1,
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ display: 'flex', color: 'primary.main' }} aria-hidden>
        {icon}
      </Box>
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>{children}</Box>
      <Box sx={{ display: 'flex', gap: 0.5, marginInlineStart: 'auto' }}>
        {actions.map(({ label, isMain = false, onClick }) => (
          <Button key={label} size="small" variant={isMain ? 'contained' : 'text'} onClick={onClick}>
            {label}
          </Button>
        ))}
      </Box>
    </Box>
  )
}
