import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'

interface Props<Value extends string> {
  label: string
  options: readonly (readonly [Value, string])[]
  value: Value
  onChange: (value: Value) => void
}

/** A group of toggle buttons with short labels. */
export function ToggleChoice<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  return (
    <ToggleButtonGroup
      exclusive
      fullWidth
      value={value}
      // Clicking the current choice would deselect it.
      onChange={(_event, chosen: Value | null) => chosen && onChange(chosen)}
      aria-label={label}
      sx={{ bgcolor: 'background.paper' }}
    >
      {options.map(([option, text]) => (
        <ToggleButton
          key={option}
          value={option}
          sx={{
            minHeight: 44,
            px: 1,
            textTransform: 'none',
            fontWeight: 700,
            '&:not(.Mui-selected)': { color: 'text.secondary' },
          }}
        >
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
