import { type ButtonProps } from '@mui/material/Button'
import { LoadingButton } from '../ui/LoadingButton.tsx'

interface Props extends Omit<ButtonProps, 'loading' | 'disabled' | 'children'> {
  label: string
  /** What it says is short; this names it where its row is not seen. */
  name: string
  isWorking?: boolean
}

/** The one thing to do with a row of settings. */
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
