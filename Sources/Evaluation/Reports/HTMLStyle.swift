/// Style sheet and script of the HTML report.
///
/// Supports light and dark, wide and narrow screens, and filters in links such as `#outcome=fail`.
enum HTMLStyle {
    static let sheet = """
        :root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--text:#1b1f27;--dim:#5a6270;--line:#d9dde4;--bar:#3b6fd0;
          --good:#17714a;--bad:#b3261e;--warn:#8a5a00;--calm:#5a6270;--on:#fff;
          --good-soft:#d8efe3;--bad-soft:#f9dedc;--warn-soft:#fbeed0}
        @media(prefers-color-scheme:dark){:root{--page:#14161b;--card:#1d2027;--text:#e7e9ee;--dim:#a3abb9;--line:#363b46;
          --bar:#7aa5f5;--good:#6fd3a4;--bad:#ff9a92;--warn:#f0c060;--calm:#a3abb9;--on:#14161b;
          --good-soft:#173d2d;--bad-soft:#4e1f1c;--warn-soft:#45350f}}
        *{box-sizing:border-box}
        body{font:15px/1.45 system-ui,sans-serif;margin:0;color:var(--text);background:var(--page)}
        header,main{max-width:1180px;margin:0 auto;padding:0 1rem}
        header{padding-top:1.2rem}header h1{display:inline-block;margin:0;padding:.15rem .8rem;border-radius:8px;font-size:1.5rem;
          color:var(--on);background:var(--warn)}
        header.passed h1,header.ok h1,header.improved h1{background:var(--good)}
        header.failed h1,header.regressed h1{background:var(--bad)}
        header p{margin:.5rem 0}
        section{margin:1rem 0;padding:.9rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:10px}
        h2{font-size:1.05rem;margin:0 0 .5rem}summary h2{display:inline;margin:0}h3,h4{font-size:.95rem;margin:.8rem 0 .3rem}
        .facts,.note,small,.reason{color:var(--dim);font-size:.85rem;overflow-wrap:anywhere}.note{margin:0 0 .6rem}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.4rem,1fr));gap:.6rem;margin:1rem 0}
        .tile{padding:.5rem .8rem;background:var(--card);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:8px}
        .tile b{display:block;white-space:nowrap;font-size:1.35rem;line-height:1.2}.tile.some.pass{border-left-color:var(--good)}
        .tile.some.fail{border-left-color:var(--bad)}.tile.some.error,.tile.some.unmeasured{border-left-color:var(--warn)}
        .scroll{overflow-x:auto}table{border-collapse:collapse;white-space:nowrap}
        td,th{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;font-variant-numeric:tabular-nums}
        th{font-weight:600}thead th{color:var(--dim);font-size:.85rem}.number{text-align:right}
        .stack{display:flex;width:12rem;height:.8rem;border-radius:4px;overflow:hidden;background:var(--line)}
        .stack i{display:block;background:var(--calm)}.stack .pass{background:var(--good)}.stack .fail{background:var(--bad)}
        .stack .error,.stack .unmeasured{background:var(--warn)}
        .matrix td{text-align:center;min-width:4rem}.matrix .zero{color:var(--dim)}
        .matrix .fail{background:var(--bad-soft)}.matrix .pass{background:var(--good-soft)}.matrix .above{background:var(--warn-soft)}
        .bars td{padding:0 .1rem;text-align:center;font-size:.75rem;min-width:3rem;height:2.1rem;vertical-align:bottom}
        .bars i{display:block;background:var(--bar);border-radius:2px 2px 0 0}
        .mark{border-radius:5px;padding:.05rem .4rem;font-size:.78rem;color:var(--on);background:var(--calm)}
        .mark.pass{background:var(--good)}.mark.fail{background:var(--bad)}.mark.error,.mark.unmeasured{background:var(--warn)}
        .fixture,.flip{border-top:1px solid var(--line);padding:.35rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
        .reason{display:block;padding-left:1.2rem}
        .turn{border-left:3px solid var(--line);margin:.5rem 0 .5rem 1rem;padding-left:.8rem}.turn p{margin:.15rem 0}
        .said::before{content:"she  ";color:var(--dim);font-size:.8rem}.reply::before{content:"reply  ";color:var(--dim);
          font-size:.8rem;font-weight:400}
        .reply{font-weight:600}.turn ul{margin:.2rem 0;padding-left:1.2rem;font-size:.85rem}
        li.fail{color:var(--bad)}li.unmeasured{color:var(--warn)}
        .sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:1rem}
        form{position:sticky;top:0;display:flex;gap:.5rem;flex-wrap:wrap;align-items:center;padding:.5rem 0;background:var(--card)}
        input,select{font:inherit;padding:.3rem .5rem;border:1px solid var(--line);border-radius:6px;color:var(--text);background:var(--page)}
        input{flex:1 1 12rem;min-width:0}:focus-visible{outline:2px solid var(--bar);outline-offset:2px}
        [hidden]{display:none}code{font-size:.85rem}
        """

    static let script = """
        const field=n=>document.getElementById(n);
        const fixtures=[...document.querySelectorAll('.fixture')];
        const texts=fixtures.map(f=>f.textContent.toLowerCase());
        const wrong=['fail','error','unmeasured'];
        const chosen=(f,n)=>{const v=field(n).value;return !v||(v==='wrong'?wrong.includes(f.dataset[n]):f.dataset[n]===v)};
        function apply(){
          const words=field('search').value.toLowerCase();let shown=0;
          fixtures.forEach((f,i)=>{
            const hit=texts[i].includes(words)&&['suite','outcome','severity'].every(n=>chosen(f,n));
            f.hidden=!hit;if(hit)shown++;
          });
          field('shown').textContent=shown+' of '+fixtures.length;
        }
        for(const [n,v] of new URLSearchParams(location.hash.slice(1)))
          if(['search','suite','outcome','severity'].includes(n))field(n).value=v;
        field('filters').addEventListener('input',apply);
        field('filters').addEventListener('submit',e=>e.preventDefault());
        apply();
        """
}
