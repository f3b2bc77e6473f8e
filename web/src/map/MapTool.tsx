import Fab from '@mui/material/Fab'
import { type ReactNode } from 'react'
import { Tooltip } from '../ui/Tooltip.tsx'

interface Props {
  label: string
  /** Counted from the upper edge of the map. */
  row: number
  isPressed?: boolean
  isBusy?: boolean
  isExpanded?: boolean
  onClick: () => void
  children: ReactNode
}

const firstPx = 12
const stepPx = 56

/** One of the round buttons along the right edge. */
export function MapTool({ label, row, isPressed, isBusy, isExpanded, onClick, children }: Props) {
  return (
    <Tooltip title={label} placement="left">
      <Fab
        size="medium"
        aria-label={label}
        {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
        {...(isBusy !== undefined && { 'aria-busy': isBusy })}
        {...(isExpanded !== undefined && { 'aria-expanded': isExpanded })}
        onClick={onClick}
        sx={{
          position: 'absolute',
          top: firstPx + row * stepPx,
          right: 12,
          zIndex: 2,
          bgcolor: 'background.paper',
          color: isPressed ? 'primary.main' : 'text.primary',
          '&:hover': { bgcolor: 'background.default' },
        }}
      >
        {children}
      </Fab>
    </Tooltip>
  )
}
