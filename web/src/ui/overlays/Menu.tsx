import MuiMenu, { type MenuProps } from '@mui/material/Menu'
import { useOverlay } from './use-overlay.ts'

/** A menu that going back closes. */
export function Menu(props: MenuProps) {
  useOverlay(props.open, () => props.onClose?.({}, 'escapeKeyDown'))
  return <MuiMenu {...props} />
}
