import Box from '@mui/material/Box'
import { TextField } from './TextField.tsx'
import { lengthOf } from './text-length.ts'

interface Props {
  label: string
  placeholder?: string
  /** Shown while there is no error. */
  help?: string | undefined
  value: string
  max: number
  /** The counter is shown from this length on, or always if it is undefined. */
  countFrom?: number
  error: string | undefined
  autoFocus?: boolean
  isLong?: boolean
  onChange: (value: string) => void
}

/**
 * A text field with a counter such as `n/50`. A text that is too long can be entered and shows an error, so that pasted
 * text is not cut.
 */
export function CountedField({ label, placeholder, help, value, max, countFrom = 0, error, onChange, ...rest }: Props) {
  const length = lengthOf(value)
  const count = length >= countFrom && `${length}/${max}`
  const text = error ?? help
  return (
    <TextField
      onChange={(event) => onChange(event.target.value)}
      value={value}
      label={label}
      fullWidth
      autoComplete="off"
      error={error !== undefined || length > max}
      {...(placeholder !== undefined && { placeholder })}
      {...(rest.autoFocus && { autoFocus: true })}
      {...(rest.isLong && { multiline: true, minRows: 2, maxRows: 6 })}
      helperText={
        (text !== undefined || count) && (
          <Box component="span" sx={{ display: 'flex', gap: 2 }}>
            <Box component="span" sx={{ flex: 1 }}>
              {text}
            </Box>
            {count}
          </Box>
        )
      }
    />
  )
}
