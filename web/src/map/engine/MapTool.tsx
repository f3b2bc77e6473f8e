import Fab from '@mui/material/Fab'
import type { ReactNode } from 'react'
import { Tooltip } from '../../ui/Tooltip.tsx'

interface Props {
  label: string
  /** The position from the top edge of the map, counted from 0. */
  row: number
  isPressed?: boolean
  isBusy?: boolean
  isExpanded?: boolean
  onClick: () => void
  children: ReactNode
}

const firstPx = 12
const stepPx = 56

/** The screens on which one button opens the tools, because a column of them would cover the visible part of the map. */
export const foldsTools = '@media (max-height: 499.95px), (max-height: 699.95px) and (max-width: 899.95px)'

/**
 * A round button at the right edge of the map. Where they are folded, the tools form a row, which is visible while an ancestor
 * has the attribute `data-tools="open"`.
 */
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
          insetInlineEnd: firstPx,
          zIndex: 2,
          bgcolor: 'background.paper',
          color: isPressed ? 'primary.main' : 'text.primary',
          '&:hover': { bgcolor: 'background.default' },
          [foldsTools]: {
            top: firstPx,
            insetInlineEnd: firstPx + (row + 1) * stepPx,
            visibility: 'hidden',
            '[data-tools="open"] &': { visibility: 'visible' },
          },
        }}
      >
        {children}
      </Fab>
    </Tooltip>
  )
}
