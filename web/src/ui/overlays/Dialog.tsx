import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import { useOverlay } from './use-overlay.ts'

interface Props extends DialogProps {
  /** What going back does instead of `onClose`. */
  onBack?: (() => void) | undefined
}

/** A dialog that going back closes. */
export function Dialog({ onBack, ...props }: Props) {
  useOverlay(props.open, onBack ?? (() => props.onClose?.({}, 'escapeKeyDown')))
  return <MuiDialog {...props} />
}
