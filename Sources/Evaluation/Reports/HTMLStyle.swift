/// The page's look and its filters.
enum HTMLStyle {
    static let sheet = """
        :root{color-scheme:light dark;--line:#8884;--good:#18794e;--bad:#c62828;--warn:#9a6700;--dim:#667}
        body{font:15px/1.45 system-ui,sans-serif;margin:0;color:CanvasText;background:Canvas}
        header{padding:1rem 2rem;border-bottom:4px solid var(--warn)}header h1{margin:0}
        header.passed,header.ok,header.improved{border-color:var(--good)}header.failed,header.regressed{border-color:var(--bad)}
        main{padding:0 2rem 3rem;max-width:1200px}section{margin-top:1.5rem}h2{font-size:1.1rem;display:inline-block;margin:.2rem 0}
        .facts,small,.reason{color:var(--dim);font-size:.85rem}.tiles{display:flex;gap:.6rem;flex-wrap:wrap}
        .tile{border:1px solid var(--line);border-radius:6px;padding:.5rem .9rem;min-width:5rem}.tile b{display:block;font-size:1.3rem}
        table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.2rem .5rem;text-align:left}
        .matrix td{text-align:right;min-width:3.5rem}.matrix .zero{color:var(--dim)}
        .matrix .fail{background:#c6282833}.matrix .pass{background:#18794e33}.matrix .above{background:#9a670033}
        .bars td{vertical-align:bottom;text-align:center;font-size:.75rem;min-width:2.6rem}.bars i{display:block;background:#4a7fd6}
        .mark{border-radius:4px;padding:0 .35rem;font-size:.8rem;color:#fff;background:var(--dim)}
        .mark.pass{background:var(--good)}.mark.fail{background:var(--bad)}.mark.error,.mark.unmeasured{background:var(--warn)}
        .fixture,.flip{border-bottom:1px solid var(--line);padding:.3rem 0}summary{cursor:pointer}
        .turn{border-left:3px solid var(--line);margin:.5rem 0 .5rem 1rem;padding-left:.8rem}.turn p{margin:.15rem 0}
        .reply{font-weight:600}.turn ul{margin:.2rem 0;padding-left:1.2rem;font-size:.85rem}
        li.fail{color:var(--bad)}li.unmeasured{color:var(--warn)}.sides{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
        form{display:flex;gap:.5rem;flex-wrap:wrap;margin:.5rem 0}[hidden]{display:none}
        """

    static let script = """
        const field=n=>document.getElementById(n);
        const fixtures=[...document.querySelectorAll('.fixture')];
        const texts=fixtures.map(f=>f.textContent.toLowerCase());
        function apply(){
          const words=field('search').value.toLowerCase();let shown=0;
          fixtures.forEach((f,i)=>{
            const hit=texts[i].includes(words)&&['suite','outcome','severity'].every(n=>!field(n).value||f.dataset[n]===field(n).value);
            f.hidden=!hit;if(hit)shown++;
          });
          field('shown').textContent=shown+' of '+fixtures.length;
        }
        field('filters').addEventListener('input',apply);
        field('filters').addEventListener('submit',e=>e.preventDefault());
        apply();
        """
}
