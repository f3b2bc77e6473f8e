import type { ButtonProps } from '@mui/material/Button'
import { LoadingButton } from '../LoadingButton.tsx'

interface Props extends Omit<ButtonProps, 'loading' | 'disabled' | 'children'> {
  label: string
  /** The accessible name. The visible label is short and needs the row to be understood. */
  name: string
  isWorking?: boolean
}

/** The button of a settings row. */
export function RowButton({ label, name, isWorking = false, ...props }: Props) {
  return (
    <LoadingButton
      {...props}
      variant="outlined"
      size="small"
      isWorking={isWorking}
      aria-label={name}
      sx={{ borderColor: 'divider', flexShrink: 0 }}
    >
      {label}
    </LoadingButton>
  )
}
