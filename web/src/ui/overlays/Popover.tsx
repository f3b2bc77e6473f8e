import MuiPopover, { type PopoverProps } from '@mui/material/Popover'
import { useOverlay } from './use-overlay.ts'

/** A popover that going back closes. */
export function Popover(props: PopoverProps) {
  useOverlay(props.open, () => props.onClose?.({}, 'escapeKeyDown'))
  return <MuiPopover {...props} />
}
