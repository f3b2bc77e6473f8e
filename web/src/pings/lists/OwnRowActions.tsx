import type { OwnPing } from '@hither/contract/pings.ts'
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import ReplayRounded from '@mui/icons-material/ReplayRounded'
import IconButton from '@mui/material/IconButton'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'

interface Props {
  ping: OwnPing
  onDelete: () => void
}

/** The buttons of a row in My Pins. */
export function OwnRowActions({ ping: { id, name }, onDelete }: Props) {
  return (
    <>
      <IconButton
        component={Link}
        to={`/?again=${id}`}
        aria-label={t('pings.dropAgain.dropAgainOf', { name })}
        sx={{ alignSelf: 'center' }}
      >
        <ReplayRounded fontSize="small" />
      </IconButton>
      <IconButton
        aria-label={t('pings.deletePing', { name })}
        onClick={onDelete}
        sx={{ alignSelf: 'center', marginInlineEnd: 1 }}
      >
        <DeleteOutlineRounded fontSize="small" />
      </IconButton>
    </>
  )
}
