import LayersRounded from '@mui/icons-material/LayersRounded'
import Fab from '@mui/material/Fab'
import { t } from '../../i18n/translate.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { foldsTools } from './MapTool.tsx'

/** The button that opens the folded tools of the map. */
export function FoldedTools({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <Tooltip title={t('map.tools')} placement="left">
      <Fab
        size="medium"
        aria-label={t('map.tools')}
        aria-expanded={isOpen}
        onClick={onToggle}
        sx={{
          display: 'none',
          position: 'absolute',
          top: 12,
          insetInlineEnd: 12,
          zIndex: 2,
          bgcolor: 'background.paper',
          color: isOpen ? 'primary.main' : 'text.primary',
          '&:hover': { bgcolor: 'background.default' },
          [foldsTools]: { display: 'inline-flex' },
        }}
      >
        <LayersRounded />
      </Fab>
    </Tooltip>
  )
}
