import type { Circle } from '@hither/contract/circles.ts'
import type { CircleId } from '@hither/contract/ids.ts'
import FormHelperText from '@mui/material/FormHelperText'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { CircleLabel, ToggleChip } from './ToggleChip.tsx'

interface Props {
  circles: readonly Circle[]
  chosen: readonly CircleId[]
  onToggle: (circle: Circle) => void
}

/** One toggle button for each circle, for a group of buttons that the caller names. An empty circle cannot be chosen. */
export function CircleChips({ circles, chosen, onToggle }: Props) {
  const [isHintShown, setIsHintShown] = useState(false)

  function handleClick(circle: Circle) {
    const isEmpty = circle.member_ids.length === 0
    setIsHintShown(isEmpty)
    if (!isEmpty) onToggle(circle)
  }

  return (
    <>
      {circles.map((circle) => {
        const count = circle.member_ids.length
        const isChosen = chosen.includes(circle.id)
        return (
          <ToggleChip
            key={circle.id}
            name={chipName(circle.name, count, isChosen)}
            isPressed={isChosen}
            isDisabled={count === 0}
            hint={count === 0 ? t('circles.nobody') : undefined}
            onClick={() => handleClick(circle)}
          >
            <CircleLabel emoji={circle.emoji} name={circle.name} count={count} />
          </ToggleChip>
        )
      })}
      {/* A phone shows no tooltip. */}
      {isHintShown && (
        <FormHelperText role="status" sx={{ order: 1, flexBasis: '100%', m: 0 }}>
          {t('circles.nobody')}
        </FormHelperText>
      )}
    </>
  )
}

/** The accessible name of a chip: "Close friends, 5 friends, selected". */
function chipName(name: string, count: number, isSelected: boolean): string {
  return isSelected ? t('circles.chipSelected', { name, count }) : t('circles.chip', { name, count })
}
